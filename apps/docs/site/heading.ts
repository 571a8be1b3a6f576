import type { Tokens } from 'marked';

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the text of inline Markdown. */
export function textOf(tokens: Tokens.Generic[]): string {
  return tokens
    .map((token) => (token.tokens === undefined ? (token.text ?? token.raw) : textOf(token.tokens)))
    .join('');
}
