/** A certificate authority for tests, and a certificate that it issued for the server. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const openssl = (...args: readonly string[]): void =>
  void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** `ca.crt` stays in the directory. */
export function makeCertificates(
  dir: string,
  names: readonly string[] = ['DNS:localhost'],
): { readonly server_key: string; readonly server_cert: string } {
  const [ca_key, ca, key, request, cert] = ['ca.key', 'ca.crt', 'server.key', 'server.csr', 'server.crt'].map(
    (name) => `${dir}/${name}`,
  ) as [string, string, string, string, string];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...kind,
    '-keyout',
    ca_key,
    '-out',
    ca,
    '-days',
    '2',
    '-subj',
    '/CN=authority of tests',
  );
  openssl('req', ...kind, '-keyout', key, '-out', request, '-subj', '/CN=localhost');
  writeFileSync(`${dir}/names`, `subjectAltName=${names.join(',')}\n`);
  openssl(
    'x509',
    '-req',
    '-in',
    request,
    '-CA',
    ca,
    '-CAkey',
    ca_key,
    '-CAcreateserial',
    '-out',
    cert,
    '-days',
    '2',
    '-extfile',
    `${dir}/names`,
  );
  return { server_key: readFileSync(key, 'utf8'), server_cert: readFileSync(cert, 'utf8') };
}
