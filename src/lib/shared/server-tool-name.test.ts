import { expect, test } from 'vitest';
import { isServerTool, readableToolName, wordsOfServerTool } from './server-tool-name';

test('[R1] the name of a tool of a server is told from others, and has words', () => {
	expect(['mcp_orchard_pear_9f3147fb', 'mcpx', 'files_read', ''].map(isServerTool)).toEqual([true, false, false, false]);
	expect(['mcp_orchard_pear_9f3147fb', 'mcp_orchard_pear_of_may', 'mcp_'].map(wordsOfServerTool)).toEqual(['orchard pear', 'orchard pear of may', '']);
	expect(['mcp_orchard_pear_9f3147fb', 'mcp_', 'files_read'].map(readableToolName)).toEqual(['orchard pear', 'mcp_', 'files_read']);
});
