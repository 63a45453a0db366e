import { dictionary } from './dictionary.ts'

/** `of`: the value of this name in the failure. */
export type FailureSentence = (of: (name: string) => string) => string

type Failures = Readonly<
  Record<
    | 'worker_ended'
    | 'too_long'
    | 'result_too_large'
    | 'connection_unknown'
    | 'nothing_to_test'
    | 'nothing_to_register'
    | 'receives_nothing'
    | 'address_refused'
    | 'which_chain'
    | 'chain_not_connected'
    | 'no_gas_wallet'
    | 'no_address'
    | 'chain_not_followed'
    | 'files_gone'
    | 'problem'
    | 'provider_refused'
    | 'provider_unavailable'
    | 'broke',
    FailureSentence
  >
>

type JobFailureWords = { readonly unsure: string; readonly failures: Failures }

/** Why a job failed, by the key of its failure. */
export const operatorJobFailureWords = dictionary<JobFailureWords>({
  'pt-BR': {
    unsure: 'Pode ter sido executada: verifique antes de pedir de novo.',
    failures: {
      worker_ended: () => 'O processo que a executava terminou no meio.',
      too_long: (of) => `Passou do tempo máximo de ${of('minutes')} min.`,
      result_too_large: (of) => `Foi executada, mas o resultado passa de ${of('bytes')} bytes.`,
      connection_unknown: (of) =>
        `A conexão ${of('connection')} não existe, ou foi cifrada com outras chaves que não as deste processo (VINTEM_MASTER_KEY e VINTEM_WORKER_KEY).`,
      nothing_to_test: () => 'Esta conexão não tem provedor a quem perguntar.',
      nothing_to_register: () => 'Esta conexão não tem provedor que nos avise.',
      receives_nothing: () => 'Esta conexão não recebe dinheiro: os avisos vão para a conexão que recebe.',
      address_refused: (of) => `O provedor recusa ${of('url')}: ${of('why')}.`,
      which_chain: (of) => `Escolha a rede. Este processo está conectado a: ${of('chains')}.`,
      chain_not_connected: (of) =>
        `Este processo não está conectado à rede ${of('chain')}, mas a: ${of('chains')}.`,
      no_gas_wallet: (of) =>
        `Este processo não tem carteira que pague o recolhimento em ${of('chain')}: configure a carteira quente e a de gás dessa rede.`,
      no_address: () => 'Isto não é um endereço.',
      chain_not_followed: (of) => `Nenhum processo acompanhou a rede ${of('chain')} ainda.`,
      files_gone: () => 'Um arquivo não está mais aqui: envie os arquivos de novo.',
      problem: () => 'O pedido foi recusado.',
      provider_refused: () => 'O provedor recusou. Nada foi feito.',
      provider_unavailable: () => 'O provedor não respondeu. Nada foi feito.',
      broke: () => 'A tarefa não chegou ao fim. Os detalhes dizem onde parou.',
    },
  },
  en: {
    unsure: 'It may have been carried out: look before you request it again.',
    failures: {
      worker_ended: () => 'Its worker ended while it ran.',
      too_long: (of) => `It took longer than ${of('minutes')} min.`,
      result_too_large: (of) => `It was carried out, but its result has more than ${of('bytes')} bytes.`,
      connection_unknown: (of) =>
        `There is no connection ${of('connection')}, or it was sealed under other keys than this worker’s (VINTEM_MASTER_KEY and VINTEM_WORKER_KEY).`,
      nothing_to_test: () => 'This connection has no provider to ask.',
      nothing_to_register: () => 'This connection has no provider that calls us.',
      receives_nothing: () =>
        'This connection receives no money: callbacks go to the connection that receives it.',
      address_refused: (of) => `The provider refuses ${of('url')}: ${of('why')}.`,
      which_chain: (of) => `Name the chain. This worker is connected to: ${of('chains')}.`,
      chain_not_connected: (of) =>
        `This worker is not connected to the chain ${of('chain')}, but to: ${of('chains')}.`,
      no_gas_wallet: (of) =>
        `This worker has no wallet that pays for collecting on ${of('chain')}: set the hot wallet and the gas wallet of that chain.`,
      no_address: () => 'This is no address.',
      chain_not_followed: (of) => `No watcher has followed the chain ${of('chain')} yet.`,
      files_gone: () => 'A file is not there any more: hand the files in again.',
      problem: () => 'The request was refused.',
      provider_refused: () => 'The provider refused. Nothing was done.',
      provider_unavailable: () => 'The provider did not answer. Nothing was done.',
      broke: () => 'The job did not come to its end. The details say where it stopped.',
    },
  },
  es: {
    unsure: 'Puede haberse ejecutado: revise antes de pedirla de nuevo.',
    failures: {
      worker_ended: () => 'El proceso que la ejecutaba terminó a la mitad.',
      too_long: (of) => `Superó el tiempo máximo de ${of('minutes')} min.`,
      result_too_large: (of) => `Se ejecutó, pero el resultado supera ${of('bytes')} bytes.`,
      connection_unknown: (of) =>
        `La conexión ${of('connection')} no existe, o fue cifrada con otras claves que no son las de este proceso (VINTEM_MASTER_KEY y VINTEM_WORKER_KEY).`,
      nothing_to_test: () => 'Esta conexión no tiene proveedor a quien preguntar.',
      nothing_to_register: () => 'Esta conexión no tiene proveedor que nos avise.',
      receives_nothing: () => 'Esta conexión no recibe dinero: los avisos van a la conexión que lo recibe.',
      address_refused: (of) => `El proveedor rechaza ${of('url')}: ${of('why')}.`,
      which_chain: (of) => `Elija la red. Este proceso está conectado a: ${of('chains')}.`,
      chain_not_connected: (of) =>
        `Este proceso no está conectado a la red ${of('chain')}, sino a: ${of('chains')}.`,
      no_gas_wallet: (of) =>
        `Este proceso no tiene billetera que pague la recogida en ${of('chain')}: configure la billetera caliente y la de gas de esa red.`,
      no_address: () => 'Esto no es una dirección.',
      chain_not_followed: (of) => `Ningún proceso siguió la red ${of('chain')} todavía.`,
      files_gone: () => 'Un archivo ya no está aquí: envíe los archivos de nuevo.',
      problem: () => 'La solicitud fue rechazada.',
      provider_refused: () => 'El proveedor rechazó. No se hizo nada.',
      provider_unavailable: () => 'El proveedor no respondió. No se hizo nada.',
      broke: () => 'La tarea no llegó al final. Los detalles dicen dónde se detuvo.',
    },
  },
})
