import { memoryHere } from '../engine/local/context-for';
import { firstModels } from '../engine/local/first-models';
import { addressOf, readHubRepository, searchHub } from '../engine/local/hub';
import { firstChoice, modelFit, recommended, type Room } from '../engine/local/model-fit';
import { freeSpace } from '../shared/free-space';

async function roomHere(): Promise<Room> {
	return { memory: memoryHere(), space: await freeSpace() };
}

/** The models of Hugging Face, which is asked when the user asks, and what of them fits this tab. */
export const modelHub = {
	firstModels,
	search: searchHub,
	repository: readHubRepository,
	addressOf,
	fit: modelFit,
	recommended,
	firstChoice,
	room: roomHere,
	/** Lists the models of a repository, each with the way to it, and whether it fits. */
	files: async (id: string) => {
		const repository = await readHubRepository(id);
		const room = await roomHere();
		const { contextLength, files } = repository;
		return files.map((file) => ({
			name: file.name,
			bytes: file.bytes,
			...(file.quantization ? { quantization: file.quantization } : {}),
			address: addressOf(repository, file),
			fit: modelFit({ bytes: file.bytes, ...(contextLength === undefined ? {} : { contextLength }) }, room)
		}));
	}
};
