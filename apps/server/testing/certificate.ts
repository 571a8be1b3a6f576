import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a self-signed certificate for 127.0.0.1 and localhost, with its key; both in PEM. */
export function makeCertificate(keyKind: 'ec' | 'rsa:2048' = 'ec'): { readonly key: string; readonly cert: string } {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const curve = keyKind === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-256'] : [];
  const kind = ['-newkey', keyKind, ...curve, '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(directory, { recursive: true });
  return pair;
}
