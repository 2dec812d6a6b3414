import { ModelLists } from '../storage/model-lists';
import { db } from './environment';

/** The models of servers, as they last listed them. */
export const modelLists = new ModelLists(db);
