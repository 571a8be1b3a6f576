import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import type { SingleSignOnOptions } from './options.ts';

/** What the page of the login reads, shows and deletes: why the last one failed. */
const cookieName = 'yardarm-login-refused';
const secondsToRead = 60;
/** A browser takes no cookie beyond 4 kB. */
const longestReason = 500;

interface Redirect {
  readonly status: 302;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/**
 * Leads a person whose login failed back to the page where it began, which says why; a program gets the refusal itself. The
 * reason travels in a cookie, so that no link can put words into our mouth.
 */
export async function toldOnPage(
  { basePath, secureCookies }: Pick<SingleSignOnOptions, 'basePath' | 'secureCookies'>,
  request: RequestInfo,
  work: () => Promise<Redirect>,
): Promise<Redirect> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || request.header('accept')?.includes('text/html') !== true) throw error;
    const kind = `Path=${basePath}/; Max-Age=${secondsToRead}; SameSite=Lax${secureCookies ? '; Secure' : ''}`;
    const cleared = error.headers['set-cookie'];
    const headers = {
      location: `${basePath}/login`,
      'set-cookie': [
        `${cookieName}=${encodeURIComponent(error.message.slice(0, longestReason))}; ${kind}`,
        ...(cleared === undefined ? [] : [cleared]),
      ],
      'cache-control': 'no-store',
    };
    return { status: 302, headers };
  }
}
