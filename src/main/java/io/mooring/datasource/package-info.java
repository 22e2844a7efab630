/** The data source of format {@code mooring} in its DataSource V2 roles. */
@NullMarked
package io.mooring.datasource;

import org.jspecify.annotations.NullMarked;
