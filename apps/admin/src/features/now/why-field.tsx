import { Textarea, type TextareaProps } from '@mantine/core';

/** A text that says why a person decides about automation; {@link requireWhy} checks it. */
export function WhyField(props: TextareaProps) {
  return <Textarea label="Why" required autosize minRows={2} maxLength={1000} {...props} />;
}

/** Returns the error of a text without a reason; null when it has one. */
export function requireWhy(reason: string): string | null {
  return reason.trim() === '' ? 'Say why, for the people who come next.' : null;
}
