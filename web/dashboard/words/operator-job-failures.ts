import { dictionary } from './dictionary.ts'

/** Why a job failed, by the key of its failure, whose values replace the names in braces. */
export const operatorJobFailureWords = dictionary({
  unsure: [
    'Pode ter sido executada: verifique antes de pedir de novo.',
    'It may have been carried out: look before you request it again.',
    'Puede haberse ejecutado: revise antes de pedirla de nuevo.',
  ],
  failures: {
    worker_ended: [
      'O processo que a executava terminou no meio.',
      'Its worker ended while it ran.',
      'El proceso que la ejecutaba terminó a la mitad.',
    ],
    too_long: [
      'Passou do tempo máximo de {minutes} min.',
      'It took longer than {minutes} min.',
      'Superó el tiempo máximo de {minutes} min.',
    ],
    result_too_large: [
      'Foi executada, mas o resultado passa de {bytes} bytes.',
      'It was carried out, but its result has more than {bytes} bytes.',
      'Se ejecutó, pero el resultado supera {bytes} bytes.',
    ],
    connection_unknown: [
      'A conexão {connection} não existe, ou foi cifrada com outras chaves que não as deste processo (VINTEM_MASTER_KEY e VINTEM_WORKER_KEY).',
      'There is no connection {connection}, or it was sealed under other keys than this worker’s (VINTEM_MASTER_KEY and VINTEM_WORKER_KEY).',
      'La conexión {connection} no existe, o fue cifrada con otras claves que no son las de este proceso (VINTEM_MASTER_KEY y VINTEM_WORKER_KEY).',
    ],
    nothing_to_test: [
      'Esta conexão não tem provedor a quem perguntar.',
      'This connection has no provider to ask.',
      'Esta conexión no tiene proveedor a quien preguntar.',
    ],
    nothing_to_register: [
      'Esta conexão não tem provedor que nos avise.',
      'This connection has no provider that calls us.',
      'Esta conexión no tiene proveedor que nos avise.',
    ],
    receives_nothing: [
      'Esta conexão não recebe dinheiro: os avisos vão para a conexão que recebe.',
      'This connection receives no money: callbacks go to the connection that receives it.',
      'Esta conexión no recibe dinero: los avisos van a la conexión que lo recibe.',
    ],
    address_refused: [
      'O provedor recusa {url}: {why}.',
      'The provider refuses {url}: {why}.',
      'El proveedor rechaza {url}: {why}.',
    ],
    which_chain: [
      'Escolha a rede. Este processo está conectado a: {chains}.',
      'Name the chain. This worker is connected to: {chains}.',
      'Elija la red. Este proceso está conectado a: {chains}.',
    ],
    chain_not_connected: [
      'Este processo não está conectado à rede {chain}, mas a: {chains}.',
      'This worker is not connected to the chain {chain}, but to: {chains}.',
      'Este proceso no está conectado a la red {chain}, sino a: {chains}.',
    ],
    no_gas_wallet: [
      'Este processo não tem carteira que pague o recolhimento em {chain}: configure a carteira quente e a de gás dessa rede.',
      'This worker has no wallet that pays for collecting on {chain}: set the hot wallet and the gas wallet of that chain.',
      'Este proceso no tiene billetera que pague la recogida en {chain}: configure la billetera caliente y la de gas de esa red.',
    ],
    no_address: ['Isto não é um endereço.', 'This is no address.', 'Esto no es una dirección.'],
    chain_not_followed: [
      'Nenhum processo acompanhou a rede {chain} ainda.',
      'No watcher has followed the chain {chain} yet.',
      'Ningún proceso siguió la red {chain} todavía.',
    ],
    files_gone: [
      'Um arquivo não está mais aqui: envie os arquivos de novo.',
      'A file is not there any more: hand the files in again.',
      'Un archivo ya no está aquí: envíe los archivos de nuevo.',
    ],
    problem: ['O pedido foi recusado.', 'The request was refused.', 'La solicitud fue rechazada.'],
    provider_refused: [
      'O provedor recusou. Nada foi feito.',
      'The provider refused. Nothing was done.',
      'El proveedor rechazó. No se hizo nada.',
    ],
    provider_unavailable: [
      'O provedor não respondeu. Nada foi feito.',
      'The provider did not answer. Nothing was done.',
      'El proveedor no respondió. No se hizo nada.',
    ],
    broke: [
      'A tarefa não chegou ao fim. Os detalhes dizem onde parou.',
      'The job did not come to its end. The details say where it stopped.',
      'La tarea no llegó al final. Los detalles dicen dónde se detuvo.',
    ],
  },
})
