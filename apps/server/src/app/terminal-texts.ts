import type { Config } from '#config/settings.ts';
import type { FirstAdmin } from '#features/people/users/index.ts';

/** Returns the text for the terminal about the first administrator: the only place that shows a generated password. */
export function firstAdminText({ username, generatedPassword }: FirstAdmin): string {
  const password =
    generatedPassword === undefined
      ? 'the one in UNLEASH_DEFAULT_ADMIN_PASSWORD'
      : `${generatedPassword}   (shown only once; keep it)`;
  return `
  The first administrator has been created:

    user name  ${username}
    password   ${password}
`;
}

/** Returns the text for the terminal after a recovery. `password` was generated for the user. */
export function recoveredText(username: string | undefined, password: string | undefined): string {
  const given =
    password === undefined ? '' : `\n  user name  ${username}\n  password   ${password}   (shown only once)\n`;
  return `Login with passwords is enabled.${given}`;
}

/** Returns the text for the terminal after the unreadable secrets of `owners` were removed. */
export function forgottenText(owners: readonly string[]): string {
  if (owners.length === 0) return 'All stored secrets can be read. Nothing was removed.';
  return `Removed the secrets of: ${owners.join('; ')}. Set them again.`;
}

/** Returns the text for the terminal about stored values that SDKs read differently. */
export function unevenText(lines: readonly string[]): string {
  const shown = lines.slice(0, 100).map((line) => `  ${line}`);
  const more = lines.length > shown.length ? [`  and ${lines.length - shown.length} more`] : [];
  return [
    `SDKs read ${lines.length} of its values differently. They keep working as they did. Edit them when you can:`,
    ...shown,
    ...more,
  ].join('\n');
}

/** Returns the text for the terminal when the service listens at `url`. `fresh` means that the database is new. */
export function servingText(version: string, url: string, authType: Config['authType'], fresh: boolean): string {
  const open = 'Authentication is off (AUTH_TYPE=none): every client of this address is an administrator.\n';
  return `Yardarm ${version} serves on ${url}
${authType === 'none' ? open : ''}Open it in a browser, or use its API.
The API is documented at ${url}/docs/openapi
${fresh ? firstSignalText(url) : ''}`;
}

/** Returns the text for the terminal when a replica listens at `url`. */
export function replicaText(version: string, url: string, upstream: string): string {
  return `Yardarm ${version}: a replica of ${upstream} serves SDKs on ${url}\n`;
}

/** Returns the commands from an empty database to the first signal, to be copied line by line. */
function firstSignalText(url: string): string {
  const json = `-H 'Content-Type: application/json'`;
  const admin = `curl -b session ${url}/api/admin`;
  return `
  The same without a browser. Log in, and keep the cookie:

    curl -c session ${url}/auth/simple/login ${json} \\
      -d '{"username": "…", "password": "…"}'

  Create an endpoint that receives signals, and a token for the sender:

    ${admin}/signal-endpoints ${json} -d '{"name": "alerts"}'
    ${admin}/signal-endpoints/1/tokens ${json} -d '{"name": "my-sender"}'

  Send a signal with the token from the answer, and list the received signals:

    curl ${url}/api/signal-endpoint/alerts -H 'Authorization: Bearer …' ${json} -d '{"type": "hello"}'
    ${admin}/signals
`;
}
