import { stringifySetCookie } from 'cookie';
import type { RequestInfo } from '#http/request.ts';
import { startOfText } from '#kernel/cut-text.ts';
import { Problem } from '#kernel/errors.ts';
import type { SingleSignOnOptions } from './options.ts';

/** The cookie with the reason why the last login failed. The login page shows and deletes it. */
const cookieName = 'yardarm-login-refused';
const secondsToRead = 60;
/** Browsers reject cookies larger than 4 kB, and an encoded UTF-16 code unit may take 9 bytes. */
const longestReason = 400;

interface Redirect {
  readonly status: 302;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/**
 * Redirects a browser to the login page when `work` fails, and rejects as `work` did for any other client. The reason
 * is passed in a cookie and not in the URL, so that a link cannot make the login page show a forged text.
 */
export async function redirectOnError(
  { basePath, secureCookies }: Pick<SingleSignOnOptions, 'basePath' | 'secureCookies'>,
  request: RequestInfo,
  work: () => Promise<Redirect>,
): Promise<Redirect> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || request.header('accept')?.includes('text/html') !== true) throw error;
    const reason = stringifySetCookie({
      name: cookieName,
      value: startOfText(error.message, longestReason),
      maxAge: secondsToRead,
      path: `${basePath}/`,
      secure: secureCookies,
      sameSite: 'lax',
    });
    const cleared = error.headers['set-cookie'];
    const headers = {
      location: `${basePath}/login`,
      'set-cookie': [reason, ...(cleared === undefined ? [] : [cleared])],
      'cache-control': 'no-store',
    };
    return { status: 302, headers };
  }
}
