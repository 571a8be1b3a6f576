import { ColorInput, type ColorInputProps } from '@mantine/core';

/** The offered colors. Each is readable beside text in the light and the dark color scheme. */
const swatches = ['#0d4a7d', '#1f6aac', '#00875a', '#5b7f00', '#b25e00', '#b3261e', '#a4306f', '#6b3fa0', '#59616a'];

/** Selects the color of a tag or tag type. */
export function ColorField(props: Pick<ColorInputProps, 'value' | 'onChange' | 'error' | 'placeholder' | 'w'>) {
  return (
    <ColorInput
      label="Color"
      swatches={swatches}
      withEyeDropper={false}
      // The form reports invalid colors; they must not be reset on blur.
      fixOnBlur={false}
      // Opens above the field, so that the popover does not cover the submit button below it.
      popoverProps={{ position: 'top-start' }}
      {...props}
    />
  );
}
