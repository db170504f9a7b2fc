import { openapi } from './openapi.ts';
import { ROUTES } from './routes.ts';

/** @param version of guard */
export const documentOf = (version: string): object => openapi(ROUTES, version);
