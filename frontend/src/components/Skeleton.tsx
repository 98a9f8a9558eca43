import styles from './Skeleton.module.css'

type Props = { label: string; heights: number[] }

/** Blocks in the shape of what is being fetched. */
export function Skeleton({ label, heights }: Props) {
  return (
    <div className={styles.list} role="status" aria-label={label} data-skeleton="">
      {heights.map((height, index) => (
        <span key={index} className={styles.block} style={{ height }} />
      ))}
    </div>
  )
}
