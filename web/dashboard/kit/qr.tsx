// A QR code as a path: sharp at any size. Dark on white in every theme, with its quiet zone, because cameras expect that.
import { correction, generate } from 'lean-qr'
import { useMemo } from 'react'

/** ISO/IEC 18004 §6.3.8: four light modules on every side. */
const quiet = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = useMemo(() => {
    const modules = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
    let drawn = ''
    for (let y = 0; y < modules.size; y += 1)
      for (let x = 0; x < modules.size; x += 1)
        if (modules.get(x, y)) drawn += `M${x + quiet} ${y + quiet}h1v1h-1z`
    return { path: drawn, size: modules.size + 2 * quiet }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block w-52 rounded-control bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
