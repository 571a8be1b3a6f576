import { ColorInput, type ColorInputProps } from '@mantine/core';

/** Those that are offered: each can be read beside text in both themes. */
const swatches = ['#0d4a7d', '#1f6aac', '#00875a', '#5b7f00', '#b25e00', '#b3261e', '#a4306f', '#6b3fa0', '#59616a'];

/** A colour of a tag or of a type of tags, or none. */
export function ColorField(props: Pick<ColorInputProps, 'value' | 'onChange' | 'error' | 'placeholder' | 'w'>) {
  return (
    <ColorInput
      label="Colour"
      swatches={swatches}
      withEyeDropper={false}
      // What is no colour is told, not put back.
      fixOnBlur={false}
      // Below there is what saves the form.
      popoverProps={{ position: 'top-start' }}
      {...props}
    />
  );
}
