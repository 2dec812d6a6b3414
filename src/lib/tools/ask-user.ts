import * as v from 'valibot';
import { errorResult, makeTool, type Tool } from './tool';

/** The most answers to choose from, and the longest question or answer, in UTF-16 units. */
const maxChoices = 8;
const maxLength = 2000;

/** The output for the model. */
export interface AskUserOutput {
	answer: string;
}

const line = v.pipe(v.string(), v.regex(/\S/));

/** The tool `ask_user`: a question to the user, and their answer. */
export function createTool(): Tool {
	return makeTool({
		name: 'ask_user',
		description: 'Asks the user a question and gives their answer. Call it only where you can’t go on without a decision of theirs. They may choose one of the answers that you offer, or write another.',
		input: v.object({ question: line, choices: v.exactOptional(v.array(line)) }),
		inputSchema: {
			type: 'object',
			properties: {
				question: { type: 'string', minLength: 1, maxLength },
				choices: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: maxChoices, description: 'Answers to choose from, each short.' }
			},
			required: ['question'],
			additionalProperties: false
		},
		effect: 'read',
		asks: 'answer',
		preview: ({ question, choices = [] }) => {
			const tooMuch = choices.length > maxChoices || [question, ...choices].some(({ length }) => length > maxLength);
			if (tooMuch) return Promise.resolve(errorResult(`A question has ${maxLength} characters at most, and ${maxChoices} answers. It was not asked; send less.`));
			return Promise.resolve({ sentence: question, choices: [...new Set(choices)] });
		},
		run: (_, { answer = '' }) => Promise.resolve({ output: { answer } satisfies AskUserOutput, isError: false })
	});
}
