/** The highest length of a template, in UTF-16 units. */
export const maxTemplateLength = 50_000;
/** The highest length of a rendered template, in UTF-16 units. */
export const maxRenderedLength = 1_000_000;

/** A tag of a template, and the text between it and the tag before. */
export interface TemplatePart {
  readonly before: string;
  /** The text between the braces. */
  readonly inner: string;
  /** Whether the tag has three braces on each side, which only some template languages have. */
  readonly isTriple: boolean;
}

/**
 * Splits a template into its tags and the text around them. The template languages of actions and integrations share
 * this step and the limits, and differ in the rest. In a template of an action, every path must have a value in the
 * payload, and there are no sections. A template of an integration is Mustache, as in Unleash's webhooks; a path
 * without a value becomes an empty text.
 */
export function splitTemplate(
  template: string,
  { tripleBraces }: { readonly tripleBraces: boolean },
): { readonly parts: readonly TemplatePart[]; readonly rest: string } {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { inner, start, opened, closed } of templateTags(template)) {
    const isTriple = tripleBraces && opened >= 3 && closed >= 3;
    // The braces next to the inner text form the tag; further braces are text.
    const width = isTriple ? 3 : 2;
    parts.push({ before: template.slice(end, start - width), inner, isTriple });
    end = start + inner.length + width;
  }
  return { parts, rest: template.slice(end) };
}

/** The inner text of a tag such as `{{path}}`, and the number of braces around it. */
export interface TemplateTag {
  /** The text between the braces, without braces. */
  readonly inner: string;
  /** The position of `inner` in the template. */
  readonly start: number;
  /** The number of braces before `inner`, at least 2. */
  readonly opened: number;
  /** The number of braces after `inner`, at least 2. */
  readonly closed: number;
}

/**
 * Finds the tags of a template in their order: text without braces between at least two opening and two closing braces.
 * {@link splitTemplate} decides which of more than two braces belong to the tag. Takes linear time.
 */
export function* templateTags(template: string): Generator<TemplateTag> {
  let at = template.indexOf('{{');
  while (at >= 0) {
    const start = endOfRun(template, at, '{');
    const end = nextBrace(template, start);
    const after = endOfRun(template, end, '}');
    if (after - end >= 2) {
      yield { inner: template.slice(start, end), start, opened: start - at, closed: after - end };
    }
    at = template.indexOf('{{', after);
  }
}

function endOfRun(text: string, from: number, brace: '{' | '}'): number {
  let end = from;
  while (text[end] === brace) end++;
  return end;
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  return at;
}
