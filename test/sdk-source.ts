// Lets examples import the SDK from its source. Import this first, then the example with `import()`.
import { registerHooks } from 'node:module'

const source = new URL('../sdk/typescript/src/vintem.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => next(specifier === '@vintem/sdk' ? source : specifier, context),
})
