// The chain of the contract suite; nothing is compiled here.
module.exports = { networks: { hardhat: { chainId: 31337 } } };
