// Dark on white in every theme, with its quiet zone, because cameras expect that.
import type { QrCode } from '#/checkout/page-values.ts'

export function Qr({ code }: { readonly code: QrCode }) {
  return (
    <div class="qr">
      <svg
        role="img"
        aria-label={code.label}
        viewBox={`0 0 ${code.size} ${code.size}`}
        shape-rendering="crispEdges"
      >
        <path d={code.path} />
      </svg>
    </div>
  )
}
