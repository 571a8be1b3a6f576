import type { Config } from '../config/settings.ts';
import type { FirstAdmin } from '../features/users/index.ts';

/** What the terminal shows of a first administrator: the only place where a generated password ever appears. */
export function firstAdminText({ username, generatedPassword }: FirstAdmin): string {
  const password =
    generatedPassword === undefined
      ? 'as UNLEASH_DEFAULT_ADMIN_PASSWORD says'
      : `${generatedPassword}   (shown this once only; keep it)`;
  return `
  The first administrator has been created:

    user name  ${username}
    password   ${password}
`;
}

/** What the terminal shows of a recovery; `password` is the one that was generated for the user. */
export function recoveredText(username: string | undefined, password: string | undefined): string {
  const given =
    password === undefined ? '' : `\n  user name  ${username}\n  password   ${password}   (shown this once only)\n`;
  return `Logins with passwords are on.${given}`;
}

/** Returns the text for the terminal after unreadable secrets were removed from what `owners` names. */
export function forgottenText(owners: readonly string[]): string {
  if (owners.length === 0) return 'All stored secrets can be read. Nothing was removed.';
  return `Removed the secrets of: ${owners.join('; ')}. Set them again.`;
}

/** What the terminal shows once the service listens at `url`; `fresh` when nobody has used it before. */
export function servingText(version: string, url: string, authType: Config['authType'], fresh: boolean): string {
  const open = 'Authentication is off (AUTH_TYPE=none): whoever reaches this address is an administrator.\n';
  return `Yardarm ${version} serves on ${url}
${authType === 'none' ? open : ''}Open it in a browser, or use it as a program does.
Every request is described at ${url}/docs/openapi
${fresh ? firstSignalText(url) : ''}`;
}

/** From an empty database to the first signal, to be copied line by line. */
function firstSignalText(url: string): string {
  const json = `-H 'Content-Type: application/json'`;
  const admin = `curl -b session ${url}/api/admin`;
  return `
  The same without a browser. Log in, and keep the cookie:

    curl -c session ${url}/auth/simple/login ${json} \\
      -d '{"username": "…", "password": "…"}'

  Make an endpoint that signals are sent to, and a token for their sender:

    ${admin}/signal-endpoints ${json} -d '{"name": "alerts"}'
    ${admin}/signal-endpoints/1/tokens ${json} -d '{"name": "my-sender"}'

  Send a signal with the token that this answers, and see that it has arrived:

    curl ${url}/api/signal-endpoint/alerts -H 'Authorization: Bearer …' ${json} -d '{"type": "hello"}'
    ${admin}/signals
`;
}
