/** A system that a server runs on. */
export type System = 'mac' | 'windows' | 'linux';

/** A thing to do, with the exact line to type where there is one. */
export interface Instruction {
	text: string;
	line?: string;
	/** The system that the line is for, where it is for one alone. */
	system?: System;
}

/** A kind of model server that people run themselves. */
export interface ServerKind {
	name: string;
	/** The port at which it listens unless told otherwise. */
	port: number;
	/** True where nothing else usually listens at that port. */
	ownPort: boolean;
	/** Tells in a clause how it lets a page of `origin` in. */
	hint(origin: string): string;
	/** Lists ways to let a page of `origin` in. */
	allow(origin: string): Instruction[];
	/** Lists ways to start it, so that other computers reach it too where it `isRemote`. */
	start(isRemote: boolean): Instruction[];
}

const ollamaDropIn = '/etc/systemd/system/ollama.service.d';

/** Sets variables for Ollama as it is usually run: as an app, as a service, or in a terminal. */
function ollamaWith(name: string, value: string): Instruction[] {
	return [
		{ system: 'mac', text: 'On a Mac, type this, then quit Ollama and open it again.', line: `launchctl setenv ${name} "${value}"` },
		{ system: 'windows', text: 'On Windows, type this, then quit Ollama from the system tray and start it again.', line: `setx ${name} "${value}"` },
		{
			system: 'linux',
			text: 'On Linux, where it is a service, type this.',
			line: `sudo mkdir -p ${ollamaDropIn} && printf '[Service]\\nEnvironment="${name}=${value}"\\n' | sudo tee ${ollamaDropIn}/${name.toLowerCase()}.conf && sudo systemctl daemon-reload && sudo systemctl restart ollama`
		},
		{ text: 'Where you start it in a terminal on a Mac or on Linux, start it like this.', line: `${name}="${value}" ollama serve` }
	];
}

const inCorsSettings = (origin: string) => `Allow ${origin} in the server’s CORS settings`;

/** The kinds of model server that Snug knows: their usual ports, and what is typed for each. */
export const serverKinds: readonly ServerKind[] = [
	{
		name: 'Ollama',
		port: 11434,
		ownPort: true,
		hint: (origin) => `Start Ollama with OLLAMA_ORIGINS=${origin} in its environment`,
		allow: (origin) => ollamaWith('OLLAMA_ORIGINS', origin),
		start: (isRemote) => (isRemote ? ollamaWith('OLLAMA_HOST', '0.0.0.0') : [{ text: 'Open the Ollama app, or start it in a terminal.', line: 'ollama serve' }])
	},
	{
		name: 'LM Studio',
		port: 1234,
		ownPort: true,
		hint: () => "Turn on CORS in LM Studio's server settings",
		allow: () => [{ text: 'Turn on “Enable CORS” in the server settings of LM Studio’s Developer tab, or stop the server and start it like this.', line: 'lms server start --cors' }],
		start: (isRemote) => [{ text: `Start the server in LM Studio’s Developer tab, or like this.${isRemote ? ' Turn on “Serve on Local Network” in its settings.' : ''}`, line: 'lms server start --cors' }]
	},
	{
		name: 'llama.cpp',
		port: 8080,
		ownPort: false,
		hint: inCorsSettings,
		allow: (origin) => [{ text: 'Add this to the line that starts llama-server. Without it, it lets every page in, unless its own tools are on.', line: `--cors-origins ${origin}` }],
		start: (isRemote) => [{ text: 'Start it, with the file of your model.', line: `llama-server -m model.gguf --port 8080${isRemote ? ' --host 0.0.0.0' : ''}` }]
	},
	{
		name: 'vLLM',
		port: 8000,
		ownPort: false,
		hint: inCorsSettings,
		allow: (origin) => [
			{
				text: 'Add this to the line that starts vLLM. Without it, it lets every page in, but no page can read that it refuses a key: check the API key, too.',
				line: `--allowed-origins '["${origin}"]'`
			}
		],
		start: () => [{ text: 'Start it, with the name of your model.', line: 'vllm serve MODEL --port 8000' }]
	}
];

/** Returns the kind of server that usually listens at this port. */
export function kindAt({ port }: Pick<URL, 'port'>): ServerKind | undefined {
	return serverKinds.find((kind) => String(kind.port) === port);
}

/** Tells in a clause how the server at `url` lets a page of `origin` in. */
export function howToAllow(url: URL, origin: string): string {
	return (kindAt(url)?.hint ?? inCorsSettings)(origin);
}
