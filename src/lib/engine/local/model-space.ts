import { requireSpace } from '../../shared/free-space';

/** Makes sure that `bytes` more of a model may be stored. Throws as `requireSpace` does. */
export function requireModelSpace(storage: Pick<StorageManager, 'estimate'>, bytes: number, name: string): Promise<void> {
	return requireSpace(storage, bytes, (needed, free) => `${name} needs ${needed}, but only ${free} are free for this site. Free some space or remove another model, then try again.`);
}
