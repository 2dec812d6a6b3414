/** A number format of GGUF for weights: `bytes` for each `block` of them. */
export interface TensorType {
	name: string;
	block: number;
	bytes: number;
}

const type = (name: string, block: number, bytes: number): TensorType => ({ name, block, bytes });

/** The formats that ggml knows, by the id that a GGUF file names them with (`enum ggml_type`). */
export const tensorTypes: Record<number, TensorType> = {
	0: type('F32', 1, 4),
	1: type('F16', 1, 2),
	2: type('Q4_0', 32, 18),
	3: type('Q4_1', 32, 20),
	6: type('Q5_0', 32, 22),
	7: type('Q5_1', 32, 24),
	8: type('Q8_0', 32, 34),
	10: type('Q2_K', 256, 84),
	11: type('Q3_K', 256, 110),
	12: type('Q4_K', 256, 144),
	13: type('Q5_K', 256, 176),
	14: type('Q6_K', 256, 210),
	16: type('IQ2_XXS', 256, 66),
	17: type('IQ2_XS', 256, 74),
	18: type('IQ3_XXS', 256, 98),
	19: type('IQ1_S', 256, 50),
	20: type('IQ4_NL', 32, 18),
	21: type('IQ3_S', 256, 110),
	22: type('IQ2_S', 256, 82),
	23: type('IQ4_XS', 256, 136),
	24: type('I8', 1, 1),
	25: type('I16', 1, 2),
	26: type('I32', 1, 4),
	27: type('I64', 1, 8),
	28: type('F64', 1, 8),
	29: type('IQ1_M', 256, 56),
	30: type('BF16', 1, 2),
	34: type('TQ1_0', 256, 54),
	35: type('TQ2_0', 256, 66),
	39: type('MXFP4', 32, 17)
};
