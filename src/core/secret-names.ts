/**
 * Recognises files that usually hold keys and passwords, by name: no copy of them is ever made. These are lists rather
 * than regular expressions, because every hook that keeps a copy would have to compile those (0.5 ms measured).
 */

const words = (text: string): readonly string[] => text.split(' ');

const DIRS = words('/.ssh/ /.aws/ /.gnupg/ /.azure/ /.kube/ /.docker/ /.config/gcloud/ /secrets/');
const ENDINGS = words(
  'pem key p8 p12 pfx pkcs12 jks keystore keytab kdb kdbx ppk gpg asc age ovpn tfvars tfstate kubeconfig',
);
const NAMES = words(
  'credential secret secrets .netrc _netrc .npmrc .pypirc .yarnrc.yml .git-credentials .pgpass .my.cnf .htpasswd htpasswd .dockercfg .vault-token .boto .s3cfg auth.json shadow gshadow wallet.dat',
);
const BEGINNINGS = words(
  '.env credential. credentials secret. secrets. kubeconfig service-account serviceaccount',
);
const WITHIN = words('.credentials -credentials _credentials');

/** @param path in any spelling; case is ignored. Public halves of keys (`id_rsa.pub`) do not match. */
export function isSecretName(path: string): boolean {
  const folded = `/${path.replaceAll('\\', '/').toLowerCase()}`;
  const name = folded.slice(folded.lastIndexOf('/') + 1);
  return (
    NAMES.includes(name) ||
    (name.startsWith('id_') && !name.includes('.')) ||
    BEGINNINGS.some((beginning) => name.startsWith(beginning)) ||
    WITHIN.some((part) => name.includes(part)) ||
    name.split('.').some((part, at) => at > 0 && ENDINGS.includes(part)) ||
    DIRS.some((dir) => folded.includes(dir))
  );
}
