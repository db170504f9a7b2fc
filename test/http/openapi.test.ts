import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HTTP_ROUTES } from '../../src/http/routes.ts';
import { PACKAGE, scratch } from '../claude/driver.ts';
import { DOCUMENT, fits, send, serve, validator } from './server.ts';

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('docs/openapi.json', () => {
  it('is up to date (node scripts/openapi.mjs)', () => {
    execFileSync(process.execPath, [join(PACKAGE, 'scripts/openapi.mjs'), '--check'], { stdio: 'pipe' });
  });

  it('is what the server says of itself', async () => {
    const server = await serve(scratch());
    expect((await server.ask('GET', '/openapi.json')).body).toEqual(DOCUMENT);
  });

  it('has every route and no other', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      HTTP_ROUTES.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('names every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const named = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(named);
    }
  });

  it('refers to nothing that is not there', () => {
    const names = [...JSON.stringify(DOCUMENT).matchAll(/"#\/components\/(schemas|responses)\/(\w+)"/g)];
    const missing = names.filter(([, kind, name]) => {
      const components = DOCUMENT.components[kind as 'schemas' | 'responses'];
      return !(String(name) in components);
    });
    expect(names.length).toBeGreaterThan(0);
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it('is held against answers by something that can tell them apart', () => {
    const schema = validator({ $ref: '#/components/schemas/Failure' });
    const whole = {
      code: 1,
      error: '',
      message: '',
      error_code: '',
      hint: '',
      retry_after: 0,
    };
    expect(schema.safeParse(whole).success).toBe(true);
    expect(schema.safeParse({ ...whole, conflicts: [{}] }).success).toBe(false);
    expect(schema.safeParse({ ...whole, more: 1 }).success).toBe(false);
    expect(schema.safeParse({ ...whole, code: '1' }).success).toBe(false);
  });
});

describe('the server', () => {
  it('answers every operation of the document, and no other method there', async () => {
    const server = await serve(scratch());
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const path of Object.keys(DOCUMENT.paths)) {
      // `/check` also matches the route with an id.
      const known = operations.filter((one) => fits(one.path, path)).map(({ method }) => method);
      for (const method of methods) {
        const ask = method === 'POST' ? { body: {} } : {};
        const { status, body } = await send(server, method, path.replace(/\{\w+\}/g, 'x'), ask);
        expect(status === 405, `${method} ${path}: ${status}`).toBe(!known.includes(method));
        expect(body.error_code).not.toBe('NO_ROUTE');
      }
    }
  });
});
