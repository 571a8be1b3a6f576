/** Longest template that is stored, in UTF-16 units. */
export const maxTemplateLength = 50_000;

/** The inside of a tag such as `{{path}}`, and how many braces stand directly around it. */
export interface TemplateTag {
  /** The text between the braces; it holds no brace. */
  readonly inner: string;
  /** Where `inner` begins in the template. */
  readonly start: number;
  /** Braces before `inner`: 2 or more. */
  readonly opened: number;
  /** Braces behind `inner`: 2 or more. */
  readonly closed: number;
}

/**
 * Finds the tags of a template in their order: text without braces that has at least two opening braces before it and
 * two closing ones behind it. Which of more than two braces belong to the tag is up to the template language. Looks at each
 * character a fixed number of times, so the time is linear in the length of the template.
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
