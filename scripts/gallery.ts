// Renews the pictures of the payer's page in docs/screens/checkout: `./vintem dev scripts/gallery.ts [part of a name]`.
// Look at each of them: a picture that nobody looked at proves nothing.
import { makeGallery } from '../test/browser/gallery.ts'

const count = await makeGallery(process.argv[2] ?? '')
console.log(`${count} scenes in docs/screens/checkout`)
