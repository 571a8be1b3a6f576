/** The highest length of a template, in UTF-16 units. */
export const maxTemplateLength = 50_000;

/** The inner text of a tag such as `{{path}}`, and the number of braces around it. */
export interface TemplateTag {
  /** The text between the braces, without braces. */
  readonly inner: string;
  /** The position of `inner` in the template. */
  readonly start: number;
  /** Braces before `inner`: 2 or more. */
  readonly opened: number;
  /** Braces after `inner`: 2 or more. */
  readonly closed: number;
}

/**
 * Finds the tags of a template in their order: text without braces between at least two opening and two closing braces.
 * The template language decides which of more than two braces belong to the tag. Takes linear time.
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
