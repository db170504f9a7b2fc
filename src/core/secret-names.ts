/** Files that hold keys and passwords as a rule, by their names: no copy of them is ever made. */

const NAMES: readonly RegExp[] = [
  /^\.env/,
  /^id_[a-z0-9_-]+$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|keytab|kdbx?|ppk|gpg|asc|age|ovpn|tfvars|tfstate)(?:\.|$)/,
  /(?:^|[._-])credentials?(?:[._-]|$)|^credentials/,
  /^secrets?(?:\.|$)/,
  /^[._](?:netrc|npmrc|pypirc|yarnrc\.yml|git-credentials|pgpass|my\.cnf|htpasswd|dockercfg|vault-token|boto|s3cfg)$/,
  /^kubeconfig|\.kubeconfig$/,
  /^service-?account.*\.json$/,
  /^(?:auth\.json|htpasswd|shadow|gshadow|wallet\.dat)$/,
];

/** Whatever is in them. */
const PLACES = /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.azure|\.kube|\.docker|\.config\/gcloud|secrets)\//;

/** @param path any spelling; case does not count. Public halves of keys (`id_rsa.pub`) are none. */
export function isSecretName(path: string): boolean {
  const folded = path.replaceAll('\\', '/').toLowerCase();
  const name = folded.slice(folded.lastIndexOf('/') + 1);
  return PLACES.test(folded) || NAMES.some((pattern) => pattern.test(name));
}
