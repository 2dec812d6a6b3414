import { sessionFacets } from '../storage/session-facets';
import { db } from './environment';

/** As `sessionFacets` of storage/. */
export const facets = () => sessionFacets(db);
