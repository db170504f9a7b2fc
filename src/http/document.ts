import { openapi } from './openapi.ts';
import { HTTP_ROUTES } from './routes.ts';

/** @param version guard's version */
export const openapiDocument = (version: string): object => openapi(HTTP_ROUTES, version);
