/** The mark: a coin with a V. */
export function Logo({ size = 26 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <circle cx="16" cy="16" r="15" className="fill-accent" />
      <path
        d="M9.5 10.5 16 22l6.5-11.5"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
