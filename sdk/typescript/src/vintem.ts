// What the package exports.
export type { CallOptions } from './call.ts'
export { createClient, type ClientOptions, type Vintem } from './client.ts'
export {
  isProblem,
  VintemConnectionError,
  VintemError,
  VintemProblem,
  VintemSignatureError,
  type SignatureFault,
} from './errors.ts'
export type { EventBatch, FollowOptions } from './follow.ts'
export type * from './generated/types.ts'
export { Pages, type Page } from './pages.ts'
export { isNewer, verifyWebhook, type RawBody, type VerifyOptions, type WebhookHeaders } from './webhooks.ts'
