import { openapi } from './openapi.ts';
import { HTTP_ROUTES } from './routes.ts';

/** @param version of guard */
export const openapiDocument = (version: string): object => openapi(HTTP_ROUTES, version);
