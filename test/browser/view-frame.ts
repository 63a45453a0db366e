// Stands in for our page with the provider's card form: it reports its height, and when it is done.

export const frameStyle = `
:root { color-scheme: light dark; font: 450 15px/1.5 system-ui, sans-serif }
body { margin: 0; padding: 1px }
label { display: block; font-size: 13px; margin-bottom: 12px }
.two { display: grid; gap: 12px; grid-template-columns: 1fr 1fr }
input { background: transparent; border: 1px solid #87817a; border-radius: 8px; box-sizing: border-box; display: block; font: inherit; font-size: 16px;
  height: 46px; margin-top: 4px; padding: 0 12px; width: 100% }
button { background: #1f3d8a; border: 0; border-radius: 8px; color: #fff; font: inherit; font-weight: 650; height: 48px;
  margin-top: 4px; width: 100% }
`

export const frameDocument = `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>Dados do cartão</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/frame.css"><script src="/frame.js"></script></head>
<body><label>Número do cartão <input inputmode="numeric" autocomplete="cc-number"></label>
<div class="two"><label>Validade <input inputmode="numeric" autocomplete="cc-exp" placeholder="MM / AA"></label>
<label>Código de segurança <input inputmode="numeric" autocomplete="cc-csc"></label></div>
<label>Nome no cartão <input autocomplete="cc-name"></label><button type="button">Pagar</button></body></html>`

export const frameScript = `
addEventListener('load', () => {
  const report = (message) => parent.postMessage(message, location.origin)
  report({ type: 'vintem:height', height: document.documentElement.getBoundingClientRect().height })
  document.querySelector('button').addEventListener('click', () => report({ type: 'vintem:done' }))
})
`
