import styles from './page.module.css'

/** Lines in the shape of what is being fetched. */
export function Bars({ heights }: { heights: number[] }) {
  return heights.map((height, index) => <div key={index} className={styles.bar} style={{ blockSize: height }} />)
}
