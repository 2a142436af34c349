package snapshot

// The checksum of a gzip member covers the whole text, yet our texts are joined
// from pieces. CRC-32 is arithmetic on polynomials over GF(2): the checksum of a
// join is the first one's, multiplied by x to the power of the second's length
// in bits, plus the second one's. Polynomials are kept bit-reversed, as CRC-32
// (IEEE, RFC 1952 section 8) has them: the highest bit is x to the power of 0.

const crcPolynomial = 0xedb88320

// crcShift is x to the power of 8*n modulo the polynomial: what a checksum is
// multiplied by when n bytes follow.
func crcShift(n int) uint32 {
	const one = 1 << 31
	result, power := uint32(one), uint32(one>>8) // x^0, x^8
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = crcMultiply(result, power)
		}
		power = crcMultiply(power, power)
	}
	return result
}

// crcMultiply multiplies two polynomials modulo the CRC polynomial.
func crcMultiply(a, b uint32) uint32 {
	var product uint32
	for bit := uint32(1 << 31); bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		// b times x: reversed, so the carry leaves at the low end.
		if b&1 == 1 {
			b = b>>1 ^ crcPolynomial
		} else {
			b >>= 1
		}
	}
	return product
}
