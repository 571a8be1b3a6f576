/** The logo: a mast, its yardarm, and a flag. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#12395b" />
      <path d="M15 5h2v22h-2zM6 9h20v2H6z" fill="#fff" />
      <path d="M17 12h8l-3 4 3 4h-8z" fill="#f6a821" />
    </svg>
  );
}
