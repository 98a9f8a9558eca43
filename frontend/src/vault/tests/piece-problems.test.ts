import { expect, it } from 'vitest'
import { pieceProblems } from '../piece-problems'
import { Reports } from '../reports'

const names = ['a', 'b', 'c']
const pieceOf = (cloud: number, index = cloud) => ({ cloud, name: `pack.${index}`, index, blob: new Blob() })
const none = { absent: [], damaged: [], lie: [], apart: [] }

it('says which clouds lack a piece, hold a damaged one and lied', () => {
  const reports = new Reports(names)
  reports.add(1, 'pack.1', 'damaged')
  const shards = [pieceOf(0), pieceOf(1)]
  expect(pieceProblems([{ k: 2, shards }], reports)).toEqual({ ...none, absent: ['c'], damaged: ['b'] })
  reports.add(0, 'pack.0', 'lie')
  const many = [
    { k: 2, shards },
    { k: 2, shards: [] },
  ]
  expect(pieceProblems(many, reports)).toEqual({ absent: ['c', 'a', 'b'], damaged: ['b'], lie: ['a'], apart: [] })
})

it('says so where pieces are whole and give nothing', () => {
  const found = pieceProblems([{ k: 2, shards: [pieceOf(0), pieceOf(1), pieceOf(2)] }], new Reports(names))
  expect(found).toEqual({ ...none, apart: names })
  // The same piece twice is not enough for a pack.
  const twice = pieceProblems([{ k: 2, shards: [pieceOf(0), pieceOf(1, 0), pieceOf(2, 0)] }], new Reports(names))
  expect(twice).toEqual(none)
})
