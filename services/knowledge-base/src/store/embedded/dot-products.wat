;; The dot products of one row of 16-bit numbers with others that lie in a table, eight numbers at a time.
;; dot-products.ts holds this compiled; its test says how that is made.
(module
  (memory (export "memory") 1)
  (func (export "multiply")
    ;; All are addresses in bytes but $count and $stride.
    (param $rows i32)   ;; the numbers of the rows, 32 bits each
    (param $count i32)  ;; how many these are
    (param $table i32)  ;; where row 0 begins
    (param $stride i32) ;; the bytes of a row, a multiple of 16
    (param $query i32)  ;; the row that the others are multiplied with
    (param $sums i32)   ;; where the products go, 32 bits each
    (local $end i32) (local $query_end i32) (local $at i32) (local $from i32) (local $sum v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $query_end (i32.add (local.get $query) (local.get $stride)))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $from
          (i32.add (local.get $table) (i32.mul (i32.load (local.get $rows)) (local.get $stride))))
        (local.set $at (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $eight
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load (local.get $from)))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $eight (i32.lt_u (local.get $at) (local.get $query_end))))
        (i32.store (local.get $sums)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $row)))))
