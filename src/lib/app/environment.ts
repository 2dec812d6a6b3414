import { systemClock } from '../shared/clock';
import { lazy } from '../shared/lazy';
import { Database } from '../storage/database';
import { Models } from '../storage/models';
import { Providers } from '../storage/providers';
import { Sessions } from '../storage/sessions';
import { Settings } from '../storage/settings';
import { UseMark } from '../storage/use-mark';

// The concrete things that the files of this room share. Each exists once a page.

export const clock = systemClock;
export const db = new Database();
export const sessions = new Sessions(db);
export const settings = new Settings(db);
export const providers = new Providers(db);
export const models = new Models(db);
export const useMark = new UseMark(() => localStorage);

const weights = lazy(async () =>
	(await import('../engine/local/default-weights')).askOnce(new URL(import.meta.env.BASE_URL, location.href).href, clock)
);

/** The weights that the host offers beside this copy of the app; asked for once, unless the host is silent. */
export const defaultWeights = async () => (await weights())();
