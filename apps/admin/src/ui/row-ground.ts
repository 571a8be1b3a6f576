/** The ground of a row that is pointed at or chosen: links can still be read on it. */
export const rowGround = 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))';
