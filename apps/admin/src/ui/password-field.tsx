import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from '@mantine/hooks';

/**
 * A password input with a button that shows the text. Mantine's own input lacks `aria-invalid` and `aria-describedby`.
 */
export function PasswordField({ id, error, description, ...others }: PasswordInputProps) {
  const own = useId(id);
  const wrong = error !== undefined && error !== null && error !== false && error !== '';
  const described = [wrong && `${own}-error`, description !== undefined && `${own}-description`].filter(Boolean);
  return (
    <PasswordInput
      {...others}
      id={own}
      error={error}
      description={description}
      aria-invalid={wrong}
      {...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {})}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
    />
  );
}
