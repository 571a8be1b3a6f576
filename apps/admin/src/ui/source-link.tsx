import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

/**
 * Links to the page of a signal at its sender. Shows the host of the link, because a sender can put any link into a
 * signal. Renders nothing for links other than http and https.
 */
export function SourceLink({ url }: { readonly url: string | null | undefined }) {
  const host = hostOf(url);
  if (url == null || host === undefined) return null;
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noreferrer"
      size="sm"
      underline="always"
      style={{ overflowWrap: 'anywhere' }}
    >
      Open in {host} <IconExternalLink size={12} aria-label="(opens in a new tab)" />
    </Anchor>
  );
}

/** Returns the host of an http or https URL; undefined for any other text. */
function hostOf(url: string | null | undefined): string | undefined {
  if (url == null || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? host : undefined;
}
