import type { Reports } from './reports'
import type { ShardObject } from './pack-jobs'

/** `apart`: pieces that are whole and many enough, and give no pack of the log. */
const kinds = ['absent', 'damaged', 'lie', 'apart'] as const
/** The names of the clouds, by what is wrong with their pieces. */
export type PieceProblems = Record<(typeof kinds)[number], string[]>

/** Why packs could not be rebuilt. Only those are asked about that somebody has tried. */
export function pieceProblems(
  packs: readonly { k: number; shards: readonly ShardObject[] }[],
  reports: Reports,
): PieceProblems {
  const found = {
    absent: new Set<number>(),
    damaged: new Set<number>(),
    lie: new Set<number>(),
    apart: new Set<number>(),
  }
  for (const { k, shards } of packs) {
    const isBad = ({ cloud, name }: ShardObject, problem: 'damaged' | 'lie') => reports.has(cloud, name, problem)
    const intact = shards.filter((shard) => !isBad(shard, 'damaged') && !isBad(shard, 'lie'))
    for (const cloud of reports.clouds.keys())
      if (!shards.some((shard) => shard.cloud === cloud)) found.absent.add(cloud)
    for (const problem of ['damaged', 'lie'] as const) {
      for (const shard of shards) if (isBad(shard, problem)) found[problem].add(shard.cloud)
    }
    if (new Set(intact.map(({ index }) => index)).size >= k) for (const { cloud } of intact) found.apart.add(cloud)
  }
  const named = kinds.map((kind) => [kind, [...found[kind]].map((cloud) => reports.clouds[cloud]?.name ?? '')])
  return Object.fromEntries(named) as PieceProblems
}
