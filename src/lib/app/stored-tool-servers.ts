import { ToolServers } from '../storage/tool-servers';
import { db } from './environment';

/** The tool servers as they are stored: what only reads of them loads nothing of how they are asked. */
export const storedToolServers = new ToolServers(db);
