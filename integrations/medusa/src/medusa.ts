// What Medusa loads: a provider of its Payment Module. These are the fields of what its ModuleProvider() makes.
import { VintemProvider } from './provider.ts'

const paymentModule = 'payment'

export const services = [VintemProvider]
export { paymentModule as module }
