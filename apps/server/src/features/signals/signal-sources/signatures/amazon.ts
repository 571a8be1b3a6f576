const host = /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(\.cn)?$/;

/** Returns whether a URL leads to Amazon SNS by HTTPS, with the default port and without a user. */
export function isAmazonUrl(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  return protocol === 'https:' && host.test(hostname) && port === '' && username === '' && password === '';
}
