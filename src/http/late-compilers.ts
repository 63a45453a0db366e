// Compiles a schema of a route when the route is first called. A server has more than two hundred routes, and most are never called in a
// process: compiling all of them took a second of each start, and their code stayed in memory.
import compilerOfBodies from '@fastify/ajv-compiler'
import compilerOfAnswers from '@fastify/fast-json-stringify-compiler'

const buildValidators = compilerOfBodies()
const buildSerializers = compilerOfAnswers()
type Compile = ReturnType<typeof buildValidators>
type Validate = ReturnType<Compile>

/**
 * Fastify's own compilers; what they compile waits until it is used. A schema that cannot be compiled fails the first call of its route, so
 * a test compiles all (test/contract/compiled-schemas.test.ts).
 */
export const lateCompilers = {
  buildValidator: (...settings: Parameters<typeof buildValidators>): Compile => {
    const compile = buildValidators(...settings)
    return (...route) => {
      let made: Validate | undefined
      const validate = (value: unknown) => {
        made ??= compile(...route)
        const isValid = made(value)
        validate.errors = made.errors
        return isValid
      }
      validate.errors = undefined as Validate['errors']
      return validate as Validate
    }
  },
  buildSerializer: (
    ...settings: Parameters<typeof buildSerializers>
  ): ReturnType<typeof buildSerializers> => {
    const compile = buildSerializers(...settings)
    return (route) => {
      let made: ReturnType<typeof compile> | undefined
      return (answer: unknown) => (made ??= compile(route))(answer)
    }
  },
}
