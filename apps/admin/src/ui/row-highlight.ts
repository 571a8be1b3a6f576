/** The background of a hovered or selected row. Links on it keep enough contrast. */
export const rowHighlight = 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))';
